import {
  type Attribute,
  attributesOf,
  type Formula,
  nearestChange,
  directoryInterpretation,
  type Prover,
  type Interpretation,
  propertyGetter,
} from '../../kinds/membership-rule/prove/index.js';
import type { AccessModel } from '../model.js';
import { assignedPrefix } from './access-formulas.js';
import type { ExamplePerson } from './example-person.js';
import { memberPrefix } from './membership-formulas.js';

/** How many people are tried. */
const maxPeople = 200;

/**
 * A person of the directory who would fulfil a formula if one attribute changed; undefined
 * where no single change suffices, or the directory has no people.
 *
 * @param isExample whether a person is an example of what is proved
 */
export function nearestPerson(
  formula: (interpretation: Interpretation) => Formula,
  { atoms }: Prover,
  model: AccessModel,
  isExample: (person: ExamplePerson) => boolean,
): ExamplePerson | undefined {
  const { memberships, directory } = model;
  const directoryFormula = formula(directoryInterpretation);
  const isChangeable = ({ name }: Attribute): boolean =>
    /^user\.\w+$/.test(name) && !/\.(?:objectId|accountEnabled|userPrincipalName)$/.test(name);
  for (const [personIndex, knownPerson] of directory.people.slice(0, maxPeople).entries()) {
    const read = ({ name }: Attribute): unknown => {
      if (name === 'user.manager') return knownPerson.managerId;
      if (name.startsWith('user.'))
        return propertyGetter('user', name.slice('user.'.length))(knownPerson);
      if (name.startsWith(memberPrefix)) {
        const group = memberships.group(name.slice(memberPrefix.length));
        return group !== undefined && memberships.directMembers(group).has(personIndex);
      }
      return (
        name.startsWith(assignedPrefix) &&
        directory.servicePrincipals.some(
          ({ appId, assignedIds }) =>
            appId === name.slice(assignedPrefix.length) && assignedIds.includes(knownPerson.id),
        )
      );
    };
    const values = nearestChange(directoryFormula, atoms, read, isChangeable);
    if (values === undefined || values.size === 0) continue;
    const person: ExamplePerson = {
      attributes: attributesOf(values, 'user'),
      groups: [],
      assignedApplications: [],
      basedOn: knownPerson,
    };
    if (isExample(person)) return person;
  }
  return undefined;
}
