import {
  type CancellationToken,
  type Disposable,
  LanguageModelDataPart,
  LanguageModelTextPart,
  type LanguageModelTool,
  type LanguageModelToolInvocationOptions,
  type LanguageModelToolInvocationPrepareOptions,
  LanguageModelToolResult,
  l10n,
  lm,
  MarkdownString,
  type PreparedToolInvocation,
} from 'vscode';
import { cancelled, type End, race, timeout } from '../base/async';
import { GlassError, messageOf } from '../base/errors';
import { DisposableStore } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { ToolOutcome } from '../tools/invoke';
import type { Preparation } from '../tools/tool';
import { windowCaller } from './caller';
import { toolPrefix } from './contributions';
import type { HostConnection } from './hostConnection';

/** VS Code calls a tool unresponsive that prepares for 3 s; this, in ms, leaves room for its own part. */
const PREPARE_MS = 2500;

/** Registers the language-model tools that the extension's package.json declares. The host runs them. */
export function registerTools(names: readonly string[], connection: HostConnection, log: Logger): Disposable {
  const store = new DisposableStore();
  for (const name of names) {
    store.add(lm.registerTool(name, new HostTool(name.slice(toolPrefix.length), connection, log)));
  }
  return store;
}

class HostTool implements LanguageModelTool<object> {
  private readonly name: string;
  private readonly connection: HostConnection;
  private readonly log: Logger;

  constructor(name: string, connection: HostConnection, log: Logger) {
    this.name = name;
    this.connection = connection;
    this.log = log;
  }

  async prepareInvocation({
    input,
  }: LanguageModelToolInvocationPrepareOptions<object>): Promise<PreparedToolInvocation> {
    const preparation = await race([this.prepared(input), timeout<Preparation | undefined>(PREPARE_MS, undefined)]);
    if (!preparation) return this.unprepared(input);
    const { message, confirm } = preparation;
    return {
      invocationMessage: message,
      ...(confirm && {
        // Holds what programs and models wrote: never trusted, so that no command link in it works.
        confirmationMessages: { title: confirm.title, message: new MarkdownString(confirm.message) },
      }),
    };
  }

  /** What the host wants to be asked; undefined if it cannot be reached. */
  private prepared(input: object): End<Preparation | undefined> {
    return won => {
      this.connection
        .get()
        .then(host => host.client.prepare(this.name, input, windowCaller()))
        .then(won, error => {
          this.log.error(`Preparing ${this.name} failed`, error);
          won(undefined);
        });
    };
  }

  /** Without the host nobody knows whether the call is harmless, so the person is asked, with all that is known. */
  private unprepared(input: object): PreparedToolInvocation {
    return {
      invocationMessage: l10n.t('Using {0}', this.name),
      confirmationMessages: {
        title: l10n.t('Allow this call of {0}?', this.name),
        message: new MarkdownString().appendCodeblock(JSON.stringify(input, null, 2), 'json'),
      },
    };
  }

  async invoke(
    { input }: LanguageModelToolInvocationOptions<object>,
    token: CancellationToken,
  ): Promise<LanguageModelToolResult> {
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      const { client } = await this.connection.get();
      if (token.isCancellationRequested) throw cancelled();
      const outcome = await client.invoke(this.name, input, windowCaller(), {
        signal: abort.signal,
        patienceMs: Number.POSITIVE_INFINITY,
        onProgress() {},
      });
      return resultOf(outcome);
    } catch (error) {
      // Returned and not thrown: VS Code tells the model of a thrown error to check its input and try again, whatever the error says.
      if (!(error instanceof GlassError)) this.log.error(`${this.name} failed`, error);
      const code = error instanceof GlassError ? error.code : 'internal_error';
      return resultOf({ content: [`${code}: ${messageOf(error)}`] });
    } finally {
      subscription.dispose();
    }
  }
}

function resultOf({ content, images = [] }: Pick<ToolOutcome, 'content' | 'images'>): LanguageModelToolResult {
  return new LanguageModelToolResult([
    ...content.map(text => new LanguageModelTextPart(text)),
    ...images.map(({ data, mimeType }) => LanguageModelDataPart.image(Buffer.from(data, 'base64'), mimeType)),
  ]);
}
