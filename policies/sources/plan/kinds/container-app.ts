import type { Mapping } from '../mapping.js';
import { eachOf, later, map, notEmpty, setOnly, text, wordOf } from '../mapping.js';

type Values = Readonly<Record<string, unknown>>;

/** How a container says what runs in it. */
export function containerMappings(container: string): readonly Mapping[] {
  return [map('image', `${container}.image`), map('env', `${container}.env`, variables)];
}

/** How `azurerm_container_app` says what an app is: its first container, and what all of them need together. */
export const containerApp: readonly Mapping[] = [
  map('name', 'name'),
  ...containerMappings('template.0.container.0'),
  map('cpu', 'template.0.container', (containers) => sumOf(containers, 'cpu')),
  map('memory', 'template.0.container', (containers) => sumOf(containers, 'memory')),
  map('replicas.min', 'template.0.min_replicas'),
  map('replicas.max', 'template.0.max_replicas'),
  map('targetPort', 'ingress.0.target_port'),
  map('replicas.concurrentRequests', 'template.0.http_scale_rule', concurrentRequests),
  map('identity.systemAssigned', 'identity.0.type', (type) => (typeof type === 'string' ? type.includes('SystemAssigned') : type)),
  map('identity.userAssigned', 'identity.0.identity_ids', notEmpty),
  map('ingress.external', 'ingress.0.external_enabled'),
  map('ingress.allowInsecure', 'ingress.0.allow_insecure_connections'),
  map('ingress.transport', 'ingress.0.transport', (word) => text(lower(word))),
  map('ingress.exposedPort', 'ingress.0.exposed_port', (port) => (port === 0 ? undefined : port)),
  map('ingress.ipRestrictions', 'ingress.0.ip_security_restriction', (rules) => eachOf(ipRestriction)(notEmpty(rules))),
  map('revision.mode', 'revision_mode', lower),
  map('revision.traffic', 'ingress.0.traffic_weight', (shares) => eachOf(trafficShare)(notEmpty(shares))),
  map('workloadProfile', 'workload_profile_name', text),
  map('tags', 'tags'),
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

/** The variables of a container: texts, and the names of secrets. */
function variables(list: unknown): unknown {
  if (!Array.isArray(list)) return undefined;
  const entries = (list as (Values | null)[]).flatMap((variable): (readonly [string, unknown])[] => {
    if (typeof variable?.['name'] !== 'string') return [];
    const { name, secret_name: secret, value } = variable;
    if (typeof secret === 'string' && secret !== '') return [[name, { secret }]];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** What all containers of an app get together: the hosting service takes the sum for the pair of cores and memory. */
function sumOf(containers: unknown, attribute: 'cpu' | 'memory'): unknown {
  if (!Array.isArray(containers)) return undefined;
  const given = (containers as (Values | null)[]).map((container) => container?.[attribute]);
  if (given.length < 2) return given[0];
  const odd = given.find((each) => typeof each !== 'number' && !/^\d+(\.\d+)?Gi$/.test(String(each)));
  if (odd !== undefined) return odd;
  const sum = given.reduce<number>((total, each) => total + Number.parseFloat(String(each)), 0);
  return attribute === 'cpu' ? sum : `${String(sum)}Gi`;
}

/** For how many requests at once one replica is, by the rule that takes the fewest. */
function concurrentRequests(rules: unknown): unknown {
  if (!Array.isArray(rules)) return undefined;
  const given = (rules as (Values | null)[]).map((rule) => rule?.['concurrent_requests']);
  const odd = given.find((each) => typeof each === 'string' && !/^\d+$/.test(each));
  const numbers = given.flatMap((each) => (typeof each === 'string' || typeof each === 'number' ? [Number(each)] : []));
  return odd ?? (numbers.length === 0 ? undefined : Math.min(...numbers));
}

/** The names of the secrets; where each comes from is left out. */
function secrets(list: unknown): unknown {
  if (!Array.isArray(list)) return undefined;
  const names = (list as (Values | null)[]).flatMap((secret) => (typeof secret?.['name'] === 'string' ? [secret['name']] : []));
  // one whose name isn't known yet may be any
  if (names.includes(later)) return later;
  return Object.fromEntries(names.map((name) => [name, 'env:KEPT']));
}
