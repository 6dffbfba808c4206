/**
 * The variables that a synthesized stack takes from `TF_VAR_…`.
 *
 * @param json the text of its `cdk.tf.json`.
 */
export function environmentVariables(json: string): readonly string[] {
  const { variable } = JSON.parse(json) as { readonly variable?: Readonly<Record<string, unknown>> };
  return Object.keys(variable ?? {});
}
