/** The resource of a scope, as version 1 endpoints and the az CLI want it: the scope without `/.default`. */
export function resourceOf(scope: string): string {
  return scope.replace(/\/\.default$/, '');
}
