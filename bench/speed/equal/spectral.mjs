// The rules of equal-rules.mjs for spectral: the schema by spectral's own function, and custom
// functions for what spectral's cannot compare.
import { readFileSync } from 'node:fs';
import { schema } from '@stoplight/spectral-functions';

const groupsSchema = JSON.parse(readFileSync(process.env.SCHEMA, 'utf8'));
const nickname = /^[\u0000-\u001f!#-'*+\-./0-9=?A-Z^_`a-z{|}~$%&\u007f]{1,64}$/u;
const guid = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const referenceProperties = { owners: ['principals'] };
for (const each of ['members', 'acceptedSenders', 'rejectedSenders'])
  referenceProperties[each] = ['principals', 'groups'];

const severity = 'error';
/** A rule that applies a function to each group: group, name and document. */
const ruleOfGroups = (isWrong) => ({
  given: '$.groups[*]',
  severity,
  then: {
    function: (group, _options, { path, document }) =>
      isWrong(group, String(path.at(-1)), document.data) ? [{ message: 'is wrong', path }] : [],
  },
});
const isUnified = ({ kind, groupTypes }) =>
  kind === undefined ? groupTypes?.includes('Unified') === true : kind === 'unified';
const hasDuplicates = (list) => new Set(list).size < list.length;
/** By document: the name of the first unified group with each mail nickname. */
const firstByNickname = new WeakMap();

/** The name of the first unified group with a mail nickname. */
function firstWithNickname(document, wanted) {
  let names = firstByNickname.get(document);
  if (names === undefined) {
    names = new Map();
    for (const [name, group] of Object.entries(document.groups)) {
      const groupNickname = group.mailNickname ?? name;
      if (isUnified(group) && !names.has(groupNickname)) names.set(groupNickname, name);
    }
    firstByNickname.set(document, names);
  }
  return names.get(wanted);
}

function isWrongKind(group) {
  const { kind, groupTypes = [], mailEnabled, securityEnabled } = group;
  if (hasDuplicates(groupTypes)) return true;
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
        functionOptions: { schema: groupsSchema, dialect: 'draft2020-12', allErrors: true },
      },
    },
    'group-kind': ruleOfGroups(isWrongKind),
    'group-mail-nickname': ruleOfGroups(
      ({ mailNickname }, name) => mailNickname === undefined && !nickname.test(name),
    ),
    'group-mail-nickname-unique': ruleOfGroups(
      (group, name, document) =>
        isUnified(group) && firstWithNickname(document, group.mailNickname ?? name) !== name,
    ),
    'group-owners-limit': ruleOfGroups(
      ({ owners }) =>
        Array.isArray(owners) &&
        (owners.length === 0 ||
          hasDuplicates(owners.map((each) => (guid.test(each) ? each.toLowerCase() : each)))),
    ),
    'group-two-owners': ruleOfGroups(
      ({ owners, ownersManagedElsewhere }) =>
        ownersManagedElsewhere !== true && (owners === undefined || owners.length === 1),
    ),
    'reference-exists': ruleOfGroups((group, _name, document) =>
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
