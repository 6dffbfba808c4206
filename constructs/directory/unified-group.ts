import type { Construct } from '../internal/cdktf.js';
import { Group, type UnifiedGroupProps } from './group.js';

/**
 * A group of people with mail, calendar, files and plans. Its members are users.
 *
 * @example
 * new UnifiedGroup(this, 'shoppers', {
 *   displayName: 'Shoppers',
 *   visibility: 'Private',
 *   owners: [ada, grace],
 *   dynamicMembership: { rule: 'user.department -eq "Retail"' },
 * });
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/directory-rules.md, "What
 *   the service does"
 */
export class UnifiedGroup extends Group {
  constructor(scope: Construct, id: string, props: UnifiedGroupProps) {
    super(scope, id, { kind: 'unified', ...props });
  }
}
