import { idOf, modelOf, someone, stackOf, visitOf } from '../support.js';

const rule = 'user.department -eq "Retail"';
const dynamicGroup = {
  id: idOf('shop'),
  displayName: 'Shoppers',
  mailNickname: 'shoppers',
  groupTypes: ['DynamicMembership'],
  membershipRule: rule,
  membershipRuleProcessingState: 'On',
};
const stackWith = (group: object) =>
  stackOf(
    { allowedGroups: ['shoppers'] },
    { groups: { shoppers: { displayName: 'Shoppers', ...group } } },
  );

describe.each([
  ['pauses it', { dynamicMembership: { rule, processing: 'Paused' } }],
  ['leaves the members to others', { membersManagedElsewhere: true }],
])('a group with a rule, of which the stack %s', (_case, group) => {
  const answers = (snapshot?: object): unknown[] => {
    const model = modelOf(stackWith(group), {
      ...(snapshot && { snapshot: [{ ...snapshot }] }),
      ...someone,
      groups: [dynamicGroup],
    });
    return ['ada', 'grace'].map((name) => visitOf(model, name).answer.allowed);
  };

  test('keeps the people whom its rule has selected', () => {
    expect(answers()).toEqual([true, false]);
  });

  test('has members who are not known where too little was read for the rule', () => {
    expect(answers({ people: 'named', properties: [] })).toEqual(['unknown', 'unknown']);
  });
});

test('a group of devices lets in nobody, however little of the directory was read', () => {
  const devices = { ...dynamicGroup, membershipRule: 'device.displayName -eq "Till"' };
  const model = modelOf(stackOf({ allowedGroups: [dynamicGroup.id] }), {
    snapshot: [{ people: 'named', properties: [], permissions: true }],
    ...someone,
    groups: [devices],
  });
  expect(visitOf(model, 'ada').answer.allowed).toBe(false);
});
