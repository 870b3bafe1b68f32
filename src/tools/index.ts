import { connectSsh } from './connectSsh';
import { formatTerminalOutput } from './formatTerminalOutput';
import { createLocal, disconnect, execute, listSessions } from './interminal';
import { readOutput } from './readOutput';
import { respond } from './respond';
import { runTerminalCommand } from './runTerminalCommand';
import { sendControl } from './sendControl';
import { startInteractiveShell } from './startInteractiveShell';
import { terminal } from './terminal';
import { terminalFormat } from './terminalFormat';
import { terminalInfo } from './terminalInfo';
import { terminalListThemes } from './terminalListThemes';
import type { Tool } from './tool';
import { wait } from './wait';

/** All tools. A new one is a file beside this and a line here; every face (VS Code, MCP, package.json) is made from this list. */
export const tools: readonly Tool[] = [
  terminal,
  runTerminalCommand,
  startInteractiveShell,
  respond,
  sendControl,
  readOutput,
  wait,
  formatTerminalOutput,
  terminalInfo,
  terminalListThemes,
  terminalFormat,
  connectSsh,
  createLocal,
  execute,
  disconnect,
  listSessions,
];
