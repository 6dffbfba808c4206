// Reports properties of spread objects that the type of the whole object does not have, as in
// `{ ...omitUndefined({ nmae }) }` or `{ ...(isNamed && { nmae }) }`. TypeScript looks for such
// properties only where they are not spread, so that a renamed one would be lost there.
import { relative } from 'node:path';
import ts from 'typescript';

const configurations = ['tsconfig.json', 'sandbox/console/page/tsconfig.json'];

/** The object literals that an expression may be: `condition && { … }`, `omitUndefined({ … })`. */
function objectLiteralsOf(expression) {
  if (ts.isObjectLiteralExpression(expression)) return [expression];
  if (ts.isParenthesizedExpression(expression)) return objectLiteralsOf(expression.expression);
  if (ts.isConditionalExpression(expression))
    return [expression.whenTrue, expression.whenFalse].flatMap(objectLiteralsOf);
  if (ts.isBinaryExpression(expression))
    return [expression.left, expression.right].flatMap(objectLiteralsOf);
  return isOmitUndefined(expression) ? expression.arguments.flatMap(objectLiteralsOf) : [];
}

const isOmitUndefined = (node) =>
  ts.isCallExpression(node) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'omitUndefined';

/** Whether an object of a type may have a property; true where the type does not tell. */
function mayHave(checker, type, name) {
  const constraint = checker.getBaseConstraintOfType(type) ?? type;
  const members = constraint.isUnion() ? constraint.types : [constraint];
  return members.some(
    (member) =>
      !(
        member.flags &
        (ts.TypeFlags.Object | ts.TypeFlags.Intersection | ts.TypeFlags.Undefined)
      ) ||
      checker.getPropertyOfType(member, name) !== undefined ||
      checker.getIndexInfosOfType(member).length > 0 ||
      (member.flags & ts.TypeFlags.Object && checker.getPropertiesOfType(member).length === 0),
  );
}

/** The properties of a literal, and of those that are spread into it, that its type lacks. */
function unknownProperties(checker, literal, type) {
  return literal.properties.flatMap((property) => {
    if (ts.isSpreadAssignment(property))
      return objectLiteralsOf(property.expression).flatMap((spread) =>
        unknownProperties(checker, spread, type),
      );
    const { name } = property;
    if (ts.isComputedPropertyName(name) || mayHave(checker, type, name.text)) return [];
    return [property];
  });
}

/** The spread literals of a file with the type of the object that they are spread into. */
function spreadLiterals(checker, file) {
  const found = [];
  const visit = (node) => {
    const spreads = ts.isObjectLiteralExpression(node)
      ? node.properties.filter(ts.isSpreadAssignment).map(({ expression }) => expression)
      : isOmitUndefined(node) && !ts.isSpreadAssignment(node.parent)
        ? [node]
        : [];
    const literals = spreads.flatMap(objectLiteralsOf);
    const type = literals.length > 0 ? checker.getContextualType(node) : undefined;
    if (type !== undefined) for (const literal of literals) found.push({ literal, type });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const mistakes = new Set();
for (const path of configurations) {
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(path, {}, ts.sys);
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  for (const file of program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile))
    for (const { literal, type } of spreadLiterals(checker, file))
      for (const property of unknownProperties(checker, literal, type)) {
        const { line } = file.getLineAndCharacterOfPosition(property.getStart());
        mistakes.add(
          `${relative('.', file.fileName)}:${line + 1}: ${checker.typeToString(type)} has no property ${property.name.text}`,
        );
      }
}
for (const mistake of mistakes) console.error(mistake);
if (mistakes.size > 0) process.exitCode = 1;
