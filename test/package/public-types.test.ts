import { type GroupProps, SecurityGroup, UnifiedGroup } from '../../constructs/index.js';
import type { GroupDeclaration, Section, StackConfig } from '../../kinds/index.js';
import { checkDeclaration, defineRule, type Rule, type RuleContext } from '../../policies/index.js';
import { createDirectoryClient, type TokenProvider } from '../../clients/index.js';

/** Compiles only where two types are one. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const same = <One, Other>(answer: Same<One, Other>): boolean => answer;

describe('the types of the public API, which the compiler checks', () => {
  it('name the sections, and what they declare', () => {
    type Sections =
      'principals' | 'registrations' | 'environments' | 'containerApps' | 'groups' | 'workspaces' | 'eventhouses' | 'eventstreams';
    expect(same<Section, Sections>(true)).toBe(true);
    expect(same<NonNullable<StackConfig['groups']>[string], GroupDeclaration>(true)).toBe(true);
    expect(same<GroupDeclaration['kind'], 'security' | 'unified' | undefined>(true)).toBe(true);
  });

  it('take constructs where castellan.yaml has names', () => {
    expect(same<NonNullable<GroupProps['displayName']>, string>(true)).toBe(true);
    // @ts-expect-error -- a group is created with a name
    const nameless: GroupProps = { kind: 'security' };
    // @ts-expect-error -- the kind is in the name of the class
    const typed = (scope: never): SecurityGroup => new SecurityGroup(scope, 'a', { displayName: 'A', kind: 'unified' });
    // @ts-expect-error -- there is no such theme
    const themed = (scope: never): UnifiedGroup => new UnifiedGroup(scope, 'a', { displayName: 'A', theme: 'Mauve' });
    expect([nameless, typed, themed]).toHaveLength(3);
  });

  it('give rules the props of their section', () => {
    const rule = defineRule({
      id: 'types',
      title: 'A rule.',
      why: 'To see its types.',
      severity: 'info',
      source: 'the test',
      sections: ['groups'],
      messages: { found: 'found' },
      check({ value }, context: RuleContext) {
        const declared: GroupDeclaration = value;
        if (declared.theme === 'Teal') context.report({ messageId: 'found' });
      },
    });
    expect(rule satisfies Rule).toBeDefined();
    // @ts-expect-error -- there is no such section
    expect(() => checkDeclaration('people', 'a', {})).toThrow();
  });

  it('want a credential that gives tokens', () => {
    // @ts-expect-error -- a token alone is no credential
    const bare: TokenProvider = 'token';
    expect([typeof createDirectoryClient, bare]).toEqual(['function', 'token']);
  });
});
