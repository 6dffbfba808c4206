import { TerraformDataSource, type TerraformResource } from './cdktf.js';

/** The address in Terraform: `azuread_group.shoppers`, or `data.azuread_user.ada`. */
export function addressOf(block: TerraformResource | TerraformDataSource): string {
  const prefix = TerraformDataSource.isTerraformDataSource(block) ? 'data.' : '';
  return `${prefix}${block.terraformResourceType}.${block.friendlyUniqueId}`;
}
