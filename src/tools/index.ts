import { sendControl } from './sendControl';
import { terminal } from './terminal';
import type { Tool } from './tool';

/** All tools. A new one is a file beside this and a line here; every face (VS Code, MCP, package.json) is made from this list. */
export const tools: readonly Tool[] = [terminal, sendControl];
