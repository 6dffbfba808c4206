import type { IAspect } from 'cdktf';
import type { IConstruct } from 'constructs';

/** Gives every resource that has tags the team's own, as everybody writes it. */
export class TagsAspect implements IAspect {
  constructor(private readonly tags: Record<string, string>) {}

  visit(node: IConstruct): void {
    const taggable = node as IConstruct & { tags?: unknown; tagsInput?: Record<string, string> };
    if ('tags' in taggable && 'tagsInput' in taggable)
      taggable.tags = { ...this.tags, ...taggable.tagsInput };
  }
}
