import { group } from '../../kinds/group/group.js';
import { factsOf } from '../../kinds/schema/facts.js';

/** The properties of a group that a declaration and the directory both have, as one value under one name. */
export const comparedProperties: readonly string[] = Object.keys(group.properties).filter((name) => {
  const schema = group.inApi[name];
  return schema !== undefined && schema['type'] !== 'array' && factsOf(schema).outsideStore !== true;
});
