// The rules of equal-rules.mjs for spectral: the schema by spectral's own function, and custom
// functions for what spectral's cannot compare.
import { readFileSync } from 'node:fs';
import { schema } from '@stoplight/spectral-functions';

const shape = JSON.parse(readFileSync(process.env.SCHEMA, 'utf8'));
const nickname = /^[\u0000-\u001f!#-'*+\-./0-9=?A-Z^_`a-z{|}~$%&\u007f]{1,64}$/u;
const guid = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const referenceProperties = { owners: ['principals'] };
for (const each of ['members', 'acceptedSenders', 'rejectedSenders'])
  referenceProperties[each] = ['principals', 'groups'];

const severity = 'error';
const ofEachGroup = (isWrong) => ({
  given: '$.groups[*]',
  severity,
  then: {
    function: (group, _options, { path, document }) =>
      isWrong(group, String(path.at(-1)), document.data) ? [{ message: 'is wrong', path }] : [],
  },
});
const isUnified = ({ kind, groupTypes }) =>
  kind === undefined ? groupTypes?.includes('Unified') === true : kind === 'unified';
const hasTwice = (list) => new Set(list).size < list.length;
/** The first unified group of each nickname in a document. */
const firstByNickname = new WeakMap();

function firstOf(document, nicknameOfGroup) {
  let first = firstByNickname.get(document);
  if (first === undefined) {
    first = new Map();
    for (const [name, group] of Object.entries(document.groups)) {
      const text = group.mailNickname ?? name;
      if (isUnified(group) && !first.has(text)) first.set(text, name);
    }
    firstByNickname.set(document, first);
  }
  return first.get(nicknameOfGroup);
}

function isWrongKind(group) {
  const { kind, groupTypes = [], mailEnabled, securityEnabled } = group;
  if (hasTwice(groupTypes)) return true;
  if ([kind, group.groupTypes, mailEnabled, securityEnabled].every((each) => each === undefined))
    return true;
  if (kind === 'unified' && group.groupTypes !== undefined && !groupTypes.includes('Unified'))
    return true;
  if (kind === 'security' && groupTypes.includes('Unified')) return true;
  if (isUnified(group)) return mailEnabled === false;
  if (kind === 'security') return mailEnabled === true || securityEnabled === false;
  return kind === undefined && (mailEnabled === true || securityEnabled !== true);
}

export default {
  rules: {
    schema: {
      given: '$',
      severity,
      then: {
        function: schema,
        functionOptions: { schema: shape, dialect: 'draft2020-12', allErrors: true },
      },
    },
    'group-kind': ofEachGroup(isWrongKind),
    'group-mail-nickname': ofEachGroup(
      ({ mailNickname }, name) => mailNickname === undefined && !nickname.test(name),
    ),
    'group-mail-nickname-unique': ofEachGroup(
      (group, name, document) =>
        isUnified(group) && firstOf(document, group.mailNickname ?? name) !== name,
    ),
    'group-owners-limit': ofEachGroup(
      ({ owners }) =>
        Array.isArray(owners) &&
        (owners.length === 0 ||
          hasTwice(owners.map((each) => (guid.test(each) ? each.toLowerCase() : each)))),
    ),
    'group-two-owners': ofEachGroup(
      ({ owners, ownersManagedElsewhere }) =>
        ownersManagedElsewhere !== true && (owners === undefined || owners.length === 1),
    ),
    'reference-exists': ofEachGroup((group, _name, document) =>
      Object.entries(referenceProperties).some(([property, sections]) =>
        group[property]?.some?.(
          (each) =>
            !sections.some((section) => document[section]?.[each] !== undefined) &&
            !guid.test(each),
        ),
      ),
    ),
  },
};
