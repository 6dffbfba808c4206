/**
 * What to do about a type that the sandbox's own providers lack.
 *
 * @param type `azurerm_redis_cache`.
 * @param officialHint how the official providers are asked for: `run with --providers official`.
 */
export function unservedTypeAdvice(type: string, officialHint: string): string {
  const genericHint = type.startsWith('azurerm_')
    ? 'declare it as an azapi_resource, which takes any type, or '
    : '';
  return `The sandbox's own provider does not serve ${type} (\`castellan provider types\` lists what it serves): ${genericHint}${officialHint}.`;
}
