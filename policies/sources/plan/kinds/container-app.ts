import type { Mapping } from '../mapping.js';
import { eachOf, map, notEmpty, setOnly, text, wordOf } from '../mapping.js';

type Values = Readonly<Record<string, unknown>>;

/** How `azurerm_container_app` says what an app is; of several containers the first one is judged. */
export const containerApp: readonly Mapping[] = [
  map('name', 'name'),
  map('image', 'template.0.container.0.image'),
  map('cpu', 'template.0.container.0.cpu'),
  map('memory', 'template.0.container.0.memory'),
  map('env', 'template.0.container.0.env', secretVariables),
  map('replicas.min', 'template.0.min_replicas'),
  map('replicas.max', 'template.0.max_replicas'),
  map('targetPort', 'ingress.0.target_port'),
  map('ingress.external', 'ingress.0.external_enabled'),
  map('ingress.allowInsecure', 'ingress.0.allow_insecure_connections'),
  map('ingress.transport', 'ingress.0.transport', (word) => text(lower(word))),
  map('ingress.exposedPort', 'ingress.0.exposed_port', (port) => (port === 0 ? undefined : port)),
  map('ingress.ipRestrictions', 'ingress.0.ip_security_restriction', (rules) => eachOf(ipRestriction)(notEmpty(rules))),
  map('revision.mode', 'revision_mode', lower),
  map('revision.traffic', 'ingress.0.traffic_weight', (shares) => eachOf(trafficShare)(notEmpty(shares))),
  map('workloadProfile', 'workload_profile_name', text),
  map('secrets', 'secret', secrets),
  map('registries', 'registry', (registries) => eachOf(registry)(notEmpty(registries))),
];

function lower(word: unknown): unknown {
  return typeof word === 'string' ? word.toLowerCase() : word;
}

function trafficShare({ percentage, latest_revision: latest, revision_suffix: revision }: Values): Values {
  return { weight: percentage, ...(latest === true ? { latest } : {}), ...setOnly({ revision }) };
}

function ipRestriction({ name, description, action, ip_address_range: range }: Values): Values {
  return setOnly({ name, description, action: wordOf({ Allow: 'allow', Deny: 'deny' })(action), range });
}

function registry({ server, username, password_secret_name: secret, identity }: Values): Values {
  const password = typeof secret === 'string' && secret !== '' ? `secret:${secret}` : undefined;
  return setOnly({ server, username, password, identity: identity === 'System' ? 'system' : identity });
}

/** The variables that name a secret: what the others hold is nobody's business here. */
function secretVariables(variables: unknown): unknown {
  if (!Array.isArray(variables)) return undefined;
  const named = (variables as (Values | null)[]).flatMap((variable) =>
    typeof variable?.['secret_name'] === 'string' && variable['secret_name'] !== ''
      ? [[String(variable['name']), { secret: variable['secret_name'] }] as const]
      : [],
  );
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

/** The names of the secrets; where each comes from is not told. */
function secrets(list: unknown): unknown {
  if (!Array.isArray(list)) return undefined;
  const names = (list as (Values | null)[]).flatMap((secret) => (typeof secret?.['name'] === 'string' ? [secret['name']] : []));
  return Object.fromEntries(names.map((name) => [name, 'env:KEPT']));
}
