/**
 * What the examples in doc comments take as given: names that a reader understands without a
 * declaration.
 */
import {
  type App,
  CastellanStack,
  type ContainerApp,
  type Eventhouse,
  type Eventstream,
  type IPrincipal,
  type ProviderRegistration,
  type SecurityGroup,
  type Workspace,
} from '../../constructs/index.js';
import '../../constructs/testing/jest.js';
import type { Rule } from '../../policies/index.js';
import type { ControlPlane } from '../../provider/control-plane.js';
import type { Router } from '../../services/directory/http/router.js';

export { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
export { Type } from '@sinclair/typebox';
export { mkdtempSync, writeFileSync } from 'node:fs';
export { TerraformStack } from '../../constructs/internal/cdktf.js';
export { permit } from '../../services/directory/authorization/access.js';

export declare const stack: CastellanStack;
export declare class Shop extends CastellanStack {
  constructor(app: App);
}
export declare const ada: IPrincipal;
export declare const grace: IPrincipal;
export declare const shoppers: SecurityGroup;
export declare const login: ProviderRegistration;
export declare const telemetry: Workspace;
export declare const clickstore: Eventhouse;
export declare const clicks: Eventstream;
export declare const storefront: ContainerApp;
export declare const noRed: Rule;

export declare const billingAccount: string;
export declare const invoice: string;
export declare const token: string;
export declare const groupId: string;
export declare const userId: string;
export declare const workspaceId: string;
export declare const subscription: string;
export declare const file: string;
export declare const error: unknown;
export declare const cause: unknown;

export declare const socketPath: string;
export declare const target: ControlPlane;
export declare const env: Record<string, string>;
export declare const router: Router;
export declare const listMembers: Parameters<Router['on']>[3];
