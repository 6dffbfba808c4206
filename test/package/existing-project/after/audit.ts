import { SecurityGroup } from 'castellan/constructs';
import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import type { ShopStack } from './shop';

/** Who audits the shop: created after its administrators, without a reference to them. */
export class AuditStack extends TerraformStack {
  constructor(scope: Construct, id: string, shop: ShopStack) {
    super(scope, id);
    new SecurityGroup(this, 'auditors', {
      displayName: 'Auditors of the shop',
      description: 'Who may read everything',
      dependsOn: [shop.admins],
    });
  }
}
