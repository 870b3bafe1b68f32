import { randomBytes } from 'node:crypto';
import { type Owner, ownerKey } from './owner';

/** What interminal calls a session: a place where commands are run, each by itself. It has no process of its own. */
export interface Profile {
  readonly id: string;
  readonly owner: Owner;
  readonly type: 'local';
  /** Absolute path. */
  readonly shell: string;
}

/** Profiles kept per owner at most; the oldest goes. */
const MAX_PROFILES = 100;

export class Profiles {
  private readonly profiles = new Map<string, Profile>();

  add(owner: Owner, shell: string): Profile {
    const oldest = this.ownedBy(owner)[MAX_PROFILES - 1] && this.ownedBy(owner)[0];
    if (oldest) this.profiles.delete(oldest.id);
    const profile: Profile = { id: `s-${randomBytes(4).toString('hex')}`, owner, type: 'local', shell };
    this.profiles.set(profile.id, profile);
    return profile;
  }

  ownedBy(owner: Owner): Profile[] {
    return [...this.profiles.values()].filter(profile => ownerKey(profile.owner) === ownerKey(owner));
  }

  find(owner: Owner, id: string): Profile | undefined {
    return this.ownedBy(owner).find(profile => profile.id === id);
  }

  remove(profile: Profile): void {
    this.profiles.delete(profile.id);
  }

  release(owner: Owner): void {
    for (const profile of this.ownedBy(owner)) this.remove(profile);
  }
}
