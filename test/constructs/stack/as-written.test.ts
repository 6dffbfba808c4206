import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import {
  App,
  CastellanStack,
  checkTree,
  ContainerApp,
  Secret,
  SecurityGroup,
  UnifiedGroup,
} from '../../../constructs/index.js';
import {
  Aspects,
  Construct,
  type IResolvable,
  Lazy,
  TerraformStack,
  Token,
} from '../../../constructs/internal/cdktf.js';
import { isCastellanError } from '../../../core/index.js';
import { westEurope } from '../support/synthesized.js';

const owners = ['11111111-1111-4222-8333-444455556666', '21111111-1111-4222-8333-444455556666'];
const newApp = (context = {}) =>
  new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-written-')), context });
const failures = (stack: TerraformStack) =>
  checkTree(stack).flatMap(({ verdict, ruleId, severity }) =>
    verdict === 'fail' && severity === 'error' ? [ruleId] : [],
  );
const failedMessages = (stack: TerraformStack) =>
  checkTree(stack).flatMap(({ verdict, severity, message }) =>
    verdict === 'fail' && severity === 'error' ? [message] : [],
  );
const errorOf = (app: App): string => {
  try {
    app.synth();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

const lazySecret = Lazy.stringValue({ produce: () => 'correct-horse' });

/** A construct of a team's own library. */
class TeamSpace extends Construct {
  readonly group: UnifiedGroup;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.group = new UnifiedGroup(this, 'members', { displayName: 'Members', owners });
  }
}

describe('errors of constructs', () => {
  it('are collected, and reported at synth with stack, line and severity', () => {
    const app = newApp();
    const bare = new TerraformStack(app, 'bare');
    new SecurityGroup(bare, 'one', { displayName: 'One', mailNickname: 'o ne', owners });
    new UnifiedGroup(bare, 'two', { displayName: '', owners });
    const own = new CastellanStack(app, 'own', westEurope);
    new ContainerApp(own, 'web', { image: 'nginx:1', cpu: 50.5 });
    const lines = errorOf(app).split('\n  ').slice(1);
    expect(lines).toEqual([
      expect.stringMatching(
        /^\[bare\] \S*as-written\.test\.ts:\d+:\d+: error: .*\(group-mail-nickname\)$/,
      ),
      expect.stringMatching(/^\[bare\] \S*as-written\.test\.ts:\d+:\d+: error: .*\(.*\)$/),
      expect.stringMatching(
        /^\[own\] \S*as-written\.test\.ts:\d+:\d+: error: .*\(app-cpu-memory\)$/,
      ),
    ]);
  });

  it('are thrown at once where the app wants it', () => {
    const stack = new CastellanStack(newApp({ 'castellan:errors': 'at once' }), 'own', westEurope);
    expect(() => new SecurityGroup(stack, 'one', { displayName: '', owners })).toThrow(/CAS2001|:/);
  });

  it('name the line of the construct, and that of the user of an L3', () => {
    const app = newApp();
    const stack = new TerraformStack(app, 'bare');
    const space = new TeamSpace(stack, 'red');
    space.group.resource.displayName = '';
    const [finding] = checkTree(stack).filter(({ verdict }) => verdict === 'fail');
    expect(finding?.location?.file).toBe(__filename);
    expect(finding?.usedAt?.file).toBe(__filename);
    expect(finding?.usedAt?.line).toBeGreaterThan(Number(finding?.location?.line));
    expect(errorOf(app)).toMatch(
      /as-written\.test\.ts:\d+:\d+: error: .*, used at \S*as-written\.test\.ts:\d+:\d+/,
    );
  });

  it('are errors of castellan, with their findings', () => {
    const app = newApp();
    new SecurityGroup(new TerraformStack(app, 'bare'), 'one', { displayName: '', owners });
    try {
      app.synth();
    } catch (error) {
      if (!isCastellanError(error)) throw error;
      expect([error.code, (error.details['findings'] as unknown[]).length]).toEqual(['CAS2001', 1]);
    }
    expect.assertions(1);
  });
});

describe('what is written', () => {
  const group = (stack: Construct) =>
    new SecurityGroup(stack, 'g', { displayName: 'G', mailNickname: 'g', owners });

  it('is not judged twice', () => {
    const stack = new CastellanStack(newApp(), 'own', westEurope);
    group(stack);
    new SecurityGroup(stack, 'h', { displayName: 'H', mailNickname: 'h h', owners });
    expect(failures(stack)).toEqual(['group-mail-nickname']);
  });

  it.each<[string, (stack: TerraformStack) => void]>([
    ['an override', (stack) => group(stack).resource.addOverride('mail_nickname', 'g g')],
    [
      'an override of the stack',
      (stack) => {
        group(stack);
        stack.addOverride('resource.azuread_group.g.mail_nickname', 'g g');
      },
    ],
    ['an attribute', (stack) => void (group(stack).resource.mailNickname = 'g g')],
    [
      'a Lazy value',
      (stack) => {
        new SecurityGroup(stack, 'g', {
          displayName: 'G',
          mailNickname: Lazy.stringValue({ produce: () => 'g g' }),
          owners,
        });
      },
    ],
    [
      'an Aspect',
      (stack) => {
        group(stack);
        Aspects.of(stack).add({
          visit: (node) => {
            if (node instanceof AzureadGroup) node.mailNickname = 'g g';
          },
        });
      },
    ],
    [
      'a token of the program',
      (stack) => {
        class Nickname implements IResolvable {
          readonly creationStack = [];
          resolve = () => 'g g';
          toString = () => Token.asString(this);
          toJSON = () => 'nickname';
        }
        new SecurityGroup(stack, 'g', {
          displayName: 'G',
          mailNickname: Token.asString(new Nickname()),
          owners,
        });
      },
    ],
  ])('is judged after %s', (_what, change) => {
    for (const stack of [
      new CastellanStack(newApp(), 'own', westEurope),
      new TerraformStack(newApp(), 'bare'),
    ]) {
      change(stack);
      expect(errorOf(stack.node.root as App)).toMatch(
        /as-written\.test\.ts:\d+:\d+: error: the mail nickname "g g".*\(group-mail-nickname\)/,
      );
    }
  });

  it('is judged without the mistakes that a change corrects', () => {
    const stack = new CastellanStack(newApp(), 'own', westEurope);
    const create = (id: string) =>
      new SecurityGroup(new Construct(stack, id), 'g', {
        displayName: 'G',
        mailNickname: 'g g',
        owners,
      }).resource;
    create('a').addOverride('mail_nickname', 'a');
    expect(failures(stack)).toEqual([]);
    create('b').addOverride('mail_nickname', 'b b');
    create('c').addOverride('description', 'c');
    create('d').addOverride('mail_nickname', '${var.nickname}');
    expect(failures(stack)).toEqual(Array(3).fill('group-mail-nickname'));
  });

  it('is judged without an attribute that an override of the stack removes', () => {
    const stack = new CastellanStack(newApp(), 'own', westEurope);
    new ContainerApp(stack, 'shop', {
      image: 'ghcr.io/contoso/shop:1.0.0',
      replicas: { max: 2000 },
    });
    stack.addOverride('resource.azurerm_container_app.shop.template.max_replicas', undefined);
    expect(failures(stack)).toEqual([]);
  });

  it('is judged by its own value where a mistake replaces another', () => {
    const stack = new CastellanStack(newApp(), 'own', westEurope);
    new SecurityGroup(stack, 'g', {
      displayName: 'G',
      mailNickname: 'g g',
      owners,
    }).resource.addOverride('mail_nickname', 'h h');
    expect(failedMessages(stack)).toEqual([expect.stringMatching(/^the mail nickname "h h" has/)]);
  });

  it('is judged without a corrected mistake where the rule finds another one', () => {
    const stack = new CastellanStack(newApp(), 'own', westEurope);
    const { resource } = new ContainerApp(stack, 'shop', {
      image: 'ghcr.io/contoso/shop:1.0.0',
      replicas: { min: 1500, max: 2000 },
    });
    expect(failures(stack)).toEqual(['app-replicas', 'app-replicas']);
    resource.template.minReplicas = 1;
    expect(failedMessages(stack)).toEqual([expect.stringMatching(/^2000 is too many/)]);
  });

  it.each<[string, (app: ContainerApp) => void]>([
    ['a Lazy', (app) => app.addSecret('token', Secret.fromToken(lazySecret))],
    ['a setter', ({ resource }) => resource.putSecret([{ name: 'token', value: 'correct-horse' }])],
    [
      'an override',
      ({ resource }) => resource.addOverride('secret', [{ name: 'token', value: 'correct-horse' }]),
    ],
  ])('is refused with a secret in clear, of %s', (_what, change) => {
    const app = newApp();
    const stack = new CastellanStack(app, 'own', westEurope);
    const shop = new ContainerApp(stack, 'shop', {
      image: 'ghcr.io/contoso/shop:1.0.0',
      secrets: { vault: Secret.fromKeyVault('https://vault.example/secrets/a') },
    });
    expect(failures(stack)).toEqual([]);
    change(shop);
    expect(errorOf(app)).toMatch(/as-written\.test\.ts:\d+:\d+: error: the secret "token" is in/);
    expect(JSON.stringify(checkTree(stack))).not.toContain('correct-horse');
  });

  it('has defaults that are unique by path, and judged', () => {
    const app = newApp();
    const stack = new CastellanStack(app, 'own', westEurope);
    for (const id of ['red', 'blue']) new TeamSpace(stack, id);
    const web = new ContainerApp(new Construct(stack, 'Shop'), 'web', { image: 'nginx:1' });
    expect(web.appName).toBe('shop-web');
    expect(failures(stack)).toEqual([]);
    new TeamSpace(new Construct(stack, 'a'), 'b');
    new TeamSpace(new Construct(stack, 'a-b'), 'x').group.resource.addOverride('description', 'x');
    new UnifiedGroup(new Construct(stack, 'a-b2'), 'members', {
      displayName: 'Twice',
      mailNickname: 'a-b-members',
      owners,
    });
    expect(failures(stack)).toEqual(['group-mail-nickname-unique']);
    new SecurityGroup(new Construct(stack, 'p q'), 'r', { displayName: 'R', owners });
    expect(failures(stack)).toContain('group-mail-nickname');
    new SecurityGroup(stack, 'sales team', { displayName: 'S', owners });
    expect(failedMessages(stack)).toContain(
      'the name "sales team" can\'t serve as the mail nickname (at most 64 ASCII characters without @ ( ) \\ [ ] " ; : < > , and space): declare mailNickname',
    );
  });
});
