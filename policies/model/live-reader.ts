import type { LiveItemsReader } from './live-items-reader.js';

/** A group as the directory has it. Properties that it did not return are left out. */
export interface LiveGroup {
  readonly id: string;
  readonly [property: string]: unknown;
}

/** Who or what a group in the directory refers to. */
export interface LiveObject {
  readonly id: string;
  /** What messages call it. */
  readonly name: string;
  /** Everything that it is called: user principal name, mail address, mail nickname, display name. */
  readonly names: readonly string[];
}

/** Who manages a group in the directory. */
export interface LiveOwner extends LiveObject {
  /** Whether the owner is a person: others have no authentication methods. */
  readonly isUser: boolean;
}

/** By what a group is found: whatever of it is known. */
export interface GroupNames {
  /** A state knows it, and with it a group that someone renamed. */
  readonly id?: string;
  readonly mailNickname?: string;
  readonly displayName?: string;
}

/** What live rules need to know of a directory; the caller says how it is read. */
export interface LiveReader {
  /** The group with that id, else with that mail nickname, else with that display name; undefined where there is none. */
  findGroup(names: GroupNames): Promise<LiveGroup | undefined>;
  owners(groupId: string): Promise<readonly LiveOwner[]>;
  /** The members of a group; undefined where the caller may not read them, or there are more than `most`. */
  members(groupId: string, most: number): Promise<readonly LiveObject[] | undefined>;
  /** The kinds of the ways in which a person signs in (`password`, `fido2`, …); undefined where the caller may not read them. */
  methods(userId: string): Promise<readonly string[] | undefined>;
  /** The workspaces and what is in them, where they are looked at. */
  readonly items?: LiveItemsReader;
}
