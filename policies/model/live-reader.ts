import type { LiveAppsReader } from './live-apps-reader.js';
import type { LiveItemsReader } from './live-items-reader.js';

/** A live group. Properties that the directory did not return are missing. */
export interface LiveGroup {
  readonly id: string;
  readonly [property: string]: unknown;
}

/** The target of a live group's reference. */
export interface LiveObject {
  readonly id: string;
  /** Its name in messages. */
  readonly name: string;
  /**
   * The names by which it can be declared: of a user the principal name and the mail address, of
   * others mail address, mail nickname and display name.
   */
  readonly names: readonly string[];
}

/** An owner of a live group. */
export interface LiveOwner extends LiveObject {
  /** Whether the owner is a user: others have no authentication methods. */
  readonly isUser: boolean;
}

/** The known values by which to find a group. */
export interface GroupNames {
  /** From a state; it also finds a renamed group. */
  readonly id?: string;
  readonly mailNickname?: string;
  readonly displayName?: string;
}

/** What live rules read from a directory; the caller provides it. */
export interface LiveReader {
  /**
   * Finds a group by id, otherwise by mail nickname, otherwise by display name; undefined if there
   * is none.
   */
  findGroup(names: GroupNames): Promise<LiveGroup | undefined>;
  owners(groupId: string): Promise<readonly LiveOwner[]>;
  /**
   * The members of a group; undefined if the caller may not read them, or there are more than
   * `maximum`.
   */
  members(groupId: string, maximum: number): Promise<readonly LiveObject[] | undefined>;
  /**
   * The kinds of a user's authentication methods (`password`, `fido2`, …); undefined if the caller
   * may not read them.
   */
  authenticationMethods(userId: string): Promise<readonly string[] | undefined>;
  /** The groups whose display name or mail nickname begins with a text. */
  groupsWithPrefix?(prefix: string): Promise<readonly LiveGroup[]>;
  /** The groups that a user owns; none if there is no such user. */
  groupsOwnedBy?(owner: string): Promise<readonly LiveGroup[]>;
  /** Reads workspaces and their items, if they are to be compared. */
  readonly items?: LiveItemsReader;
  /** Reads apps and registrations, if they are to be compared. */
  readonly apps?: LiveAppsReader;
}
