/**
 * Who a terminal number belongs to: one MCP connection, one conversation in VS Code, or a window's language-model tools (all its chats
 * together, because VS Code does not tell a tool which chat calls it). Two owners' terminal 0 are two sessions.
 */
export interface Owner {
  readonly kind: 'mcp' | 'conversation' | 'window';
  readonly id: string;
  /** For people: the client's name, or the like. */
  readonly label: string;
}

export function ownerKey(owner: Pick<Owner, 'kind' | 'id'>): string {
  return `${owner.kind}:${owner.id}`;
}
