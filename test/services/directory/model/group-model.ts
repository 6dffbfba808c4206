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

  live(): ModelGroup[] {
    return [...this.groups.values()].filter((group) => !group.deleted);
  }

  dead(): ModelGroup[] {
    return [...this.groups.values()].filter((group) => group.deleted);
  }

  /** Members that show: deleted groups and users are out of sight. */
  members(group: ModelGroup): string[] {
    return [...group.members].filter((id) => this.#shows(id)).sort();
  }

  /** Owners that show. */
  owners(group: ModelGroup): string[] {
    return [...group.owners].filter((id) => this.#shows(id)).sort();
  }

  /** Everything inside, worked out step by step. */
  transitiveMembers(group: ModelGroup): string[] {
    const seen = new Set<string>();
    const open = this.members(group);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const inner = this.groups.get(id);
      if (inner) open.push(...this.members(inner));
    }
    return [...seen].sort();
  }

  /** Every group that an object is in, at any depth. */
  groupsOf(id: string): string[] {
    return this.live()
      .filter((group) => this.transitiveMembers(group).includes(id))
      .map((group) => group.id)
      .sort();
  }

  purge(id: string): void {
    this.groups.delete(id);
    for (const group of this.groups.values()) group.members.delete(id);
  }

  #shows(id: string): boolean {
    return this.groups.get(id)?.deleted !== true && !this.deletedUsers.has(id);
  }
}
