/** A group as the model knows it. */
export interface ModelGroup {
  readonly id: string;
  name: string;
  readonly members: Set<string>;
  readonly owners: Set<string>;
  deleted: boolean;
}

/** What a directory of groups should be, kept in memory in the plainest way. */
export class GroupModel {
  readonly groups = new Map<string, ModelGroup>();
  /** Users that are deleted; all others are there. */
  readonly deletedUsers = new Set<string>();

  liveGroups(): ModelGroup[] {
    return [...this.groups.values()].filter((group) => !group.deleted);
  }

  deletedGroups(): ModelGroup[] {
    return [...this.groups.values()].filter((group) => group.deleted);
  }

  /** The visible members, without deleted groups and users. */
  members(group: ModelGroup): string[] {
    return [...group.members].filter((id) => this.#isVisible(id)).sort();
  }

  /** The visible owners. */
  owners(group: ModelGroup): string[] {
    return [...group.owners].filter((id) => this.#isVisible(id)).sort();
  }

  /** The visible members at any depth. */
  transitiveMembers(group: ModelGroup): string[] {
    const seen = new Set<string>();
    const queue = this.members(group);
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const inner = this.groups.get(id);
      if (inner) queue.push(...this.members(inner));
    }
    return [...seen].sort();
  }

  /** Every group that an object is in, at any depth. */
  groupsOf(id: string): string[] {
    return this.liveGroups()
      .filter((group) => this.transitiveMembers(group).includes(id))
      .map((group) => group.id)
      .sort();
  }

  purge(id: string): void {
    this.groups.delete(id);
    for (const group of this.groups.values()) group.members.delete(id);
  }

  #isVisible(id: string): boolean {
    return this.groups.get(id)?.deleted !== true && !this.deletedUsers.has(id);
  }
}
