/** Parameters of the authorization request that are the sidecar's own: `loginParameters` can't replace them. */
export const ownParameters: readonly string[] = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
];
