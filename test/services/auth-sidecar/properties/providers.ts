import { browser } from '../support/raw-client.js';
import type { Effect, SidecarFixture } from './sidecar-fixture.js';

/**
 * A provider of the configuration with a registration that works, and how a sign-in by it is
 * completed.
 */
interface Kind {
  readonly key: string;
  readonly word: string;
  readonly registration: Readonly<Record<string, string>>;
  /** What its client id and the name of its secret are called. */
  readonly id: string;
  readonly secret: string;
  readonly back?: (location: URL) => string;
}

const client = { clientId: 'client-1', clientSecretSettingName: 'directory-secret' };
const ids = { id: 'clientId', secret: 'clientSecretSettingName' };
const byCode = (word: string) => (location: URL) =>
  `/.auth/login/${word}/callback?code=good&state=${location.searchParams.get('state') ?? ''}`;
const kinds: readonly Kind[] = [
  { key: 'azureActiveDirectory', word: 'directory', registration: client, ...ids },
  { key: 'legacyMicrosoftAccount', word: 'personal', registration: client, ...ids },
  { key: 'google', word: 'search', registration: client, ...ids },
  { key: 'apple', word: 'apple', registration: client, ...ids },
  {
    key: 'facebook',
    word: 'social',
    registration: { appId: 'social-app', appSecretSettingName: 'oauth-secret' },
    id: 'appId',
    secret: 'appSecretSettingName',
    back: byCode('social'),
  },
  {
    key: 'gitHub',
    word: 'codehost',
    registration: { clientId: 'code-app', clientSecretSettingName: 'oauth-secret' },
    ...ids,
    back: byCode('codehost'),
  },
  {
    key: 'twitter',
    word: 'microblog',
    registration: { consumerKey: 'micro-app', consumerSecretSettingName: 'consumer-secret' },
    id: 'consumerKey',
    secret: 'consumerSecretSettingName',
    back: (location) =>
      `/.auth/login/microblog/callback?oauth_token=${location.searchParams.get('oauth_token') ?? ''}&oauth_verifier=verified`,
  },
];

function use(
  fixture: SidecarFixture,
  { key, registration }: Kind,
  more: Record<string, unknown> = {},
  registered: object = {},
): void {
  const issuer = key === 'azureActiveDirectory' ? { openIdIssuer: fixture.idp.url } : {};
  fixture.configure({
    globalValidation: { unauthenticatedClientAction: 'Return401' },
    identityProviders: {
      [key]: { ...more, registration: { ...registration, ...issuer, ...registered } },
    },
  });
}

/** What every provider's `enabled`, client id and secret do. */
function shared(kind: Kind): Effect[] {
  const { key, word, id, secret, back } = kind;
  return [
    [
      `identityProviders.${key}.enabled`,
      async (fixture) => {
        for (const [enabled, status] of [
          [true, 302],
          [false, 404],
        ] as const) {
          use(fixture, kind, { enabled });
          expect((await fixture.get(`/.auth/login/${word}`, browser)).status).toBe(status);
        }
      },
    ],
    [
      `identityProviders.${key}.registration.${id}`,
      async (fixture) => {
        use(fixture, kind, {}, { [id]: 'another-client' });
        const location = await fixture.location(word);
        if (key === 'twitter') expect(fixture.doubles.consumers.at(-1)).toBe('another-client');
        else expect(location.searchParams.get('client_id')).toBe('another-client');
      },
    ],
    [
      `identityProviders.${key}.registration.${secret}`,
      async (fixture) => {
        use(fixture, kind);
        expect((await fixture.signIn(word, back)).landed.status).toBe(302);
        use(fixture, kind, {}, { [secret]: 'wrong-secret' });
        if (key === 'twitter')
          expect((await fixture.get(`/.auth/login/${word}`, browser)).status).toBe(502);
        else expect((await fixture.signIn(word, back)).landed.status).toBe(401);
      },
    ],
  ];
}

const withScopes: readonly (readonly [string, readonly string[], string])[] = [
  ['legacyMicrosoftAccount', ['wl.basic'], 'openid profile wl.basic'],
  ['google', ['profile', 'calendar'], 'openid profile calendar'],
  ['apple', ['name'], 'openid name'],
  ['facebook', ['email', 'user_friends'], 'email,user_friends'],
  ['gitHub', ['read:user', 'repo'], 'read:user repo'],
];

const kind = (key: string): Kind => kinds.find((each) => each.key === key) as Kind;

/** Who may come in: a posted token is taken or refused as the directory's setting says. */
const admits =
  (setting: object, claims: Record<string, unknown>, refused: number): Effect[1] =>
  async (fixture) => {
    const post = async (given: Record<string, unknown>): Promise<number> =>
      (await fixture.post('directory', { access_token: await fixture.idp.sign(given) })).status;
    fixture.configureWithDirectory({}, { validation: setting });
    expect(await post(claims)).toBe(200);
    const others = Object.fromEntries(
      Object.keys(claims).map((name) => [name, name === 'groups' ? ['none'] : 'none']),
    );
    expect(await post(others)).toBe(refused);
  };

/** What each property of the named providers does. */
export const providerEffects: readonly Effect[] = [
  ...kinds.flatMap(shared),
  ...withScopes.map(([key, scopes, expected]): Effect => [
    `identityProviders.${key}.login.scopes`,
    async (fixture) => {
      use(fixture, kind(key), { login: { scopes } });
      expect((await fixture.location(kind(key).word)).searchParams.get('scope')).toBe(expected);
    },
  ]),
  ...['google', 'legacyMicrosoftAccount'].map((key): Effect => [
    `identityProviders.${key}.validation.allowedAudiences`,
    async (fixture) => {
      const id_token = await fixture.idp.sign({ aud: 'of-another-app' });
      for (const [validation, status] of [
        [{}, 401],
        [{ allowedAudiences: ['of-another-app'] }, 200],
      ] as const) {
        use(fixture, kind(key), { validation });
        expect(
          (await fixture.post(kind(key).word, { id_token, authentication_token: id_token })).status,
        ).toBe(status);
      }
    },
  ]),
  [
    'identityProviders.azureActiveDirectory.login.disableWWWAuthenticate',
    async (fixture) => {
      for (const disableWWWAuthenticate of [false, true]) {
        fixture.configureWithDirectory({}, { login: { disableWWWAuthenticate } });
        expect((await fixture.get()).headers['www-authenticate'] === undefined).toBe(
          disableWWWAuthenticate,
        );
      }
    },
  ],
  [
    'identityProviders.azureActiveDirectory.login.loginParameters',
    async (fixture) => {
      fixture.configureWithDirectory(
        {},
        { login: { loginParameters: ['domain_hint=corp.example', 'scope=openid offline_access'] } },
      );
      const { searchParams } = await fixture.location();
      expect([searchParams.get('domain_hint'), searchParams.get('scope')]).toEqual([
        'corp.example',
        'openid offline_access',
      ]);
    },
  ],
  [
    'identityProviders.azureActiveDirectory.registration.openIdIssuer',
    async (fixture) => {
      fixture.configureWithDirectory({}, { registration: { openIdIssuer: fixture.otherIdp.url } });
      expect((await fixture.location()).origin).toBe(fixture.otherIdp.url);
      expect(
        (await fixture.post('directory', { access_token: await fixture.idp.sign({}) })).status,
      ).toBe(401);
      expect(
        (await fixture.post('directory', { access_token: await fixture.otherIdp.sign({}) })).status,
      ).toBe(200);
    },
  ],
  [
    'identityProviders.azureActiveDirectory.validation.allowedAudiences',
    admits({ allowedAudiences: ['https://api.example'] }, { aud: 'https://api.example' }, 401),
  ],
  [
    'identityProviders.azureActiveDirectory.validation.defaultAuthorizationPolicy.allowedApplications',
    admits(
      { defaultAuthorizationPolicy: { allowedApplications: ['caller'] } },
      { azp: 'caller' },
      403,
    ),
  ],
  [
    'identityProviders.azureActiveDirectory.validation.defaultAuthorizationPolicy.allowedPrincipals.groups',
    admits(
      { defaultAuthorizationPolicy: { allowedPrincipals: { groups: ['g-1'] } } },
      { groups: ['g-0', 'g-1'] },
      403,
    ),
  ],
  [
    'identityProviders.azureActiveDirectory.validation.defaultAuthorizationPolicy.allowedPrincipals.identities',
    admits(
      { defaultAuthorizationPolicy: { allowedPrincipals: { identities: ['person-1'] } } },
      { oid: 'person-1' },
      403,
    ),
  ],
  [
    'identityProviders.azureActiveDirectory.validation.jwtClaimChecks.allowedClientApplications',
    admits({ jwtClaimChecks: { allowedClientApplications: ['caller'] } }, { appid: 'caller' }, 403),
  ],
  [
    'identityProviders.azureActiveDirectory.validation.jwtClaimChecks.allowedGroups',
    admits({ jwtClaimChecks: { allowedGroups: ['g-1'] } }, { groups: ['g-1'] }, 403),
  ],
];
