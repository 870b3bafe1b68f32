import { NotificationType, RequestType, RequestType0 } from 'vscode-jsonrpc/node';
import type { EndReport } from '../core/channel/channel';
import type { KeyboardHolder, SharingRules } from '../core/session/keyboard';
import type { Owner } from '../core/session/owner';
import type { SharedTerminal } from '../core/session/preface';
import type { Confidence, Session, SessionKind, SessionState } from '../core/session/session';
import type { ToolOutcome } from '../tools/invoke';
import type { ToolDescription } from '../tools/service';
import type { Caller, Preparation, Toolset } from '../tools/tool';

/** What a window, or a command line that bridges to it, and a terminal host say to each other: JSON-RPC 2.0 over a socket. */

/** Raised when anything here changes; host and client of different protocols do not meet. */
export const PROTOCOL = 3;

export interface HelloParams {
  readonly token: string;
  /** A window sees every session of the host; a bridge only serves its client's tool calls. */
  readonly client: 'window' | 'bridge';
}

export interface HostInfo {
  readonly pid: number;
  readonly version: string;
}

/** A session as a window shows it. */
export interface SessionInfo {
  readonly id: string;
  readonly kind: SessionKind;
  /** Only terminals have one. */
  readonly number: number | undefined;
  readonly owner: Owner;
  readonly shell: string;
  readonly title: string;
  readonly cwd: string;
  readonly state: SessionState;
  readonly confidence: Confidence;
  /** Name of the program in front, where it is known. */
  readonly program: string | undefined;
  readonly keyboard: KeyboardHolder;
  readonly isTakenOver: boolean;
  /** The command that runs. */
  readonly command: string | undefined;
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly cols: number;
  readonly rows: number;
  /** Nonce of the OSC 633 marks in what viewers get. */
  readonly nonce: string;
}

export interface InvokeParams {
  /** Chosen by the client; progress refers to it. */
  readonly call: number;
  readonly name: string;
  readonly input: unknown;
  readonly caller: Caller;
  /** Undefined for no bound. */
  readonly patienceMs?: number;
}

export interface OpenParams {
  readonly owner: Owner;
  readonly cwd: string;
  readonly shell?: string;
  /** What the shell starts with, over the host's environment. Its secrets go to the host and no further. */
  readonly env?: Readonly<Record<string, string>>;
  /** The terminal of a person's that this one is a copy of. */
  readonly sharedFrom?: SharedTerminal;
}

export interface AttachResult {
  readonly session: SessionInfo;
  readonly replay: string;
}

export interface McpEndpoint {
  readonly url: string;
  readonly token: string;
}

export const Hello = new RequestType<HelloParams, HostInfo, void>('hello');
export const ListTools = new RequestType<{ readonly sets: readonly Toolset[] }, readonly ToolDescription[], void>(
  'tools/list',
);
export const PrepareTool = new RequestType<Omit<InvokeParams, 'call' | 'patienceMs'>, Preparation, void>(
  'tools/prepare',
);
export const InvokeTool = new RequestType<InvokeParams, ToolOutcome, void>('tools/invoke');
export const ToolProgress = new NotificationType<{ readonly call: number; readonly message: string }>('tools/progress');
export const ReleaseOwner = new RequestType<Owner, null, void>('owner/release');
export const GetEndpoint = new RequestType0<McpEndpoint, void>('mcp/endpoint');

export const ListSessions = new RequestType0<readonly SessionInfo[], void>('session/list');
export const OpenSession = new RequestType<OpenParams, SessionInfo, void>('session/open');
export const EndSession = new RequestType<{ readonly id: string }, EndReport, void>('session/end');
/** A person takes the keyboard of a session until they give it back. */
export const SetKeyboard = new NotificationType<{ readonly id: string; readonly holder: KeyboardHolder }>(
  'session/keyboard',
);
/** A person's decisions for all sessions of the host; the last window to speak is heard. */
export const SetRules = new NotificationType<SharingRules>('host/rules');
export const SessionChanged = new NotificationType<{
  readonly kind: 'added' | 'changed' | 'removed';
  readonly session: SessionInfo;
}>('session/changed');

/** A client has at most one viewer on a session. */
export const AttachViewer = new RequestType<{ readonly id: string }, AttachResult, void>('viewer/attach');
export const DetachViewer = new NotificationType<{ readonly id: string }>('viewer/detach');
export const ViewerData = new NotificationType<{ readonly id: string; readonly data: string }>('viewer/data');
export const ViewerSize = new NotificationType<{ readonly id: string; readonly cols: number; readonly rows: number }>(
  'viewer/size',
);
export const ViewerInput = new NotificationType<{ readonly id: string; readonly data: string }>('viewer/input');
export const ViewerResize = new NotificationType<{ readonly id: string; readonly cols: number; readonly rows: number }>(
  'viewer/resize',
);
export const ViewerAcknowledge = new NotificationType<{ readonly id: string; readonly characters: number }>(
  'viewer/acknowledge',
);

export function sessionInfo(session: Session): SessionInfo {
  return {
    id: session.id,
    kind: session.kind,
    number: session.number,
    owner: session.owner,
    shell: session.traits.kind,
    title: session.title,
    cwd: session.tracker.cwd,
    state: session.state,
    confidence: session.confidence,
    program: session.activity.look?.foreground.at(-1)?.name,
    keyboard: session.keyboard.holder,
    isTakenOver: session.keyboard.isTakenOver,
    command: session.tracker.current?.text,
    exitCode: session.exit?.code,
    signal: session.exit?.signal,
    cols: session.cols,
    rows: session.rows,
    nonce: session.mirrorNonce,
  };
}
