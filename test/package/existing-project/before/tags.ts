import type { IAspect } from 'cdktf';
import type { IConstruct } from 'constructs';

/** Adds the team's tags to every resource that can have tags; its own tags win. */
export class TagsAspect implements IAspect {
  constructor(private readonly tags: Record<string, string>) {}

  visit(node: IConstruct): void {
    const taggable = node as IConstruct & { tags?: unknown; tagsInput?: Record<string, string> };
    if ('tags' in taggable && 'tagsInput' in taggable)
      taggable.tags = { ...this.tags, ...taggable.tagsInput };
  }
}
