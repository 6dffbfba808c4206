import { testRule } from '../support/test-rule.js';
import {
  app,
  directory,
  eventhouse,
  eventstream,
  group,
  people,
  securityGroup,
  signIn,
  unifiedGroup,
} from '../support/stacks.js';

testRule('property-value', {
  finds: [
    ['a capital letter in the name of a secret', app('secrets: { A_b: "${env:UNSET}" }')],
    ["a tenant that isn't a GUID", 'azure: { tenantId: nope }'],
    [
      "a type of group that doesn't exist",
      group('displayName: G, groupTypes: [Team], mailEnabled: true, securityEnabled: false'),
    ],
    ['a unique name of 129 characters', securityGroup('uniqueName: ' + 'x'.repeat(129))],
    ['a misspelt behaviour', unifiedGroup('resourceBehaviorOptions: [AllowOnlyMembersToPostt]')],
    ['a provisioning option in small letters', unifiedGroup('resourceProvisioningOptions: [team]')],
    ["an access type that doesn't exist", unifiedGroup('accessType: open')],
    [
      'a lifetime of 29 days',
      'groupLifecyclePolicy: { groupLifetimeInDays: 29, managedGroupTypes: All }',
    ],
    ['a folder by its name in place of its id', eventhouse('folderId: nope')],
    [
      'a label by something else than its id',
      eventhouse('sensitivityLabelSettings: { labelId: x }'),
    ],
    ['a retention of 91 days', eventstream('retentionTimeInDays: 91')],
    ["a throughput that doesn't exist", eventstream('eventThroughputLevel: Huge')],
    [
      "a role that doesn't exist",
      people +
        '\nworkspaces: { w: { displayName: W, roles: [ { principal: ada, role: Owner } ] } }',
    ],
    ['sign-in without any provider', signIn('providers: {}')],
    [
      'a custom provider with a slash in its name',
      signIn(
        'providers: { openIdConnect: { "a/b": { clientId: a, clientSecret: "${env:S}", wellKnownConfiguration: "https://x/y" } } }',
      ),
    ],
    [
      "a length of the session that isn't a time span",
      signIn(directory + '\ncookieExpiration: { timeToExpiration: "8h" }'),
    ],
  ],
  passes: [['null for the folder: the workspace itself', eventhouse('folderId: null')]],
});
