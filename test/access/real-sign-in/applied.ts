import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { openDatabase } from '../../../services/common/database.js';
import { createHttpServer, mountService } from '../../../services/common/http-server.js';
import { systemClock } from '../../../services/common/clock.js';
import { noAuthentication } from '../../../services/common/token-verifier.js';
import { createDirectoryService } from '../../../services/directory/index.js';
import { ids, nestable, ruleOf, seedOf } from './declared.js';
import { type DrawnStack, firstSeededGroup } from './draw.js';

/** A directory for drawn stacks, one after the other. */
export interface RunningDirectory {
  readonly app: FastifyInstance;
  /**
   * Empties and seeds the directory, and creates by its API what Terraform would create of a stack.
   *
   * @returns the ids of the declared groups
   */
  apply(stack: DrawnStack, origin: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Starts an empty directory. */
export async function startDirectory(): Promise<RunningDirectory> {
  const database = await openDatabase('memory:');
  const service = await createDirectoryService({
    database,
    dialect: 'azure',
    clock: systemClock,
    tokenVerifier: noAuthentication,
    throttle: false,
    longRunning: { mode: 'never', seed: '', seconds: 0 },
  });
  const app = createHttpServer({ logger: pino({ level: 'silent' }) });
  mountService(app, service);
  await app.ready();
  return {
    app,
    async apply(stack, origin) {
      for (const table of ['link', 'item', 'object'])
        database.sqlite?.exec(`delete from directory_${table}`);
      await service.seed(seedOf(stack));
      return applyStack(app, stack, origin);
    },
    async close() {
      await app.close();
      await service.close();
      await database.close();
    },
  };
}

async function applyStack(
  app: FastifyInstance,
  stack: DrawnStack,
  origin: string,
): Promise<readonly string[]> {
  const send = async (
    method: 'POST' | 'PATCH',
    url: string,
    payload: object,
  ): Promise<{ id: string }> => {
    const answer = await app.inject({ method, url: `/v1.0${url}`, payload });
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${url}: ${String(answer.statusCode)} ${answer.body}`);
    return answer.body === '' ? { id: '' } : answer.json<{ id: string }>();
  };
  const groups: string[] = [];
  for (const [index, group] of stack.groups.entries()) {
    const rule = ruleOf(group);
    const paused = group.members.kind === 'rule' && group.members.paused;
    const created = await send('POST', '/groups', {
      displayName: `Group ${String(index)}`,
      mailNickname: `group-${String(index)}`,
      mailEnabled: group.unified,
      securityEnabled: group.unified ? group.securityEnabled : true,
      groupTypes: [
        ...(group.unified ? ['Unified'] : []),
        ...(rule === undefined ? [] : ['DynamicMembership']),
      ],
      ...(rule !== undefined && {
        membershipRule: rule,
        membershipRuleProcessingState: paused ? 'Paused' : 'On',
      }),
    });
    groups.push(created.id);
  }
  for (const [index, { members, unified }] of stack.groups.entries()) {
    if (members.kind !== 'list') continue;
    const memberIds = [
      ...members.people.map(ids.person),
      ...(unified ? [] : nestable(stack, members.groups).map((each) => groups[each] ?? '')),
    ];
    for (const id of memberIds)
      await send('POST', `/groups/${groups[index] ?? ''}/members/$ref`, {
        '@odata.id': `https://graph.microsoft.com/v1.0/directoryObjects/${id}`,
      });
  }
  await send('PATCH', `/applications/${ids.application}`, {
    groupMembershipClaims: claimsOf(stack),
    web: {
      redirectUris: [`${origin}${stack.auth.apiPrefix ?? '/.auth'}/login/directory/callback`],
      implicitGrantSettings: { enableIdTokenIssuance: true },
    },
  });
  await send('POST', `/applications/${ids.application}/addPassword`, {
    passwordCredential: { displayName: 'sign-in' },
  });
  return groups;
}

/**
 * What the registration says of groups: as declared, else all, or security groups only where the
 * app lets in no others.
 */
function claimsOf({ registration, auth, groups }: DrawnStack): string | null {
  if (registration.claims !== undefined) return registration.claims.join(',');
  const allowedGroups = [...(auth.allowedGroups ?? []), ...(auth.claimGroups ?? [])];
  if (allowedGroups.length === 0) return null;
  const areAllSecurityGroups = allowedGroups.every((index) => {
    const group = index < firstSeededGroup ? groups[index] : undefined;
    return group !== undefined && (!group.unified || group.securityEnabled);
  });
  return areAllSecurityGroups ? 'SecurityGroup' : 'All';
}

/** The sign-in settings as the cloud's resource has them, written out by hand. */
export function authBody({ auth }: DrawnStack, groups: readonly string[]): object {
  const idOf = (at: number): string =>
    at < firstSeededGroup
      ? (groups[at] ?? '')
      : at < firstSeededGroup + 100
        ? ids.seeded(at - firstSeededGroup)
        : ids.stranger;
  const client = (which: 'own' | 'other'): string =>
    which === 'own' ? ids.client : ids.otherClient;
  const actions: Readonly<Record<string, string>> = {
    redirectToLogin: 'RedirectToLoginPage',
    return401: 'Return401',
    return403: 'Return403',
    allowAnonymous: 'AllowAnonymous',
  };
  const body = {
    platform: { enabled: auth.enabled },
    globalValidation: {
      unauthenticatedClientAction:
        auth.restrictAccess === 'allowUnauthenticated'
          ? 'AllowAnonymous'
          : actions[auth.action ?? 'redirectToLogin'],
      redirectToProvider: auth.redirect || !auth.otherProvider ? 'azureactivedirectory' : undefined,
      excludedPaths: auth.excludedPaths,
    },
    httpSettings: { routes: { apiPrefix: auth.apiPrefix } },
    identityProviders: {
      azureActiveDirectory: {
        registration: {
          clientId: ids.client,
          clientSecretSettingName: 'directory-secret',
          openIdIssuer: 'https://login.microsoftonline.com/common/v2.0',
        },
        validation: {
          defaultAuthorizationPolicy: {
            allowedApplications: auth.allowedApplications?.map(client),
            allowedPrincipals: {
              groups: auth.allowedGroups?.map(idOf),
              identities: auth.allowedPeople?.map(ids.person),
            },
          },
          jwtClaimChecks: {
            allowedGroups: auth.claimGroups?.map(idOf),
            allowedClientApplications: auth.allowedClientApplications?.map(client),
          },
        },
      },
      ...(auth.otherProvider && {
        gitHub: {
          registration: { clientId: 'Iv1', clientSecretSettingName: 'codehost-secret' },
        },
      }),
    },
    login: {
      preserveUrlFragmentsForLogins: auth.preserveFragments,
      routes: { logoutEndpoint: auth.logoutEndpoint },
    },
  };
  return { properties: JSON.parse(JSON.stringify(body)) as object };
}
