/** What the pages say, each by its key; `words.yaml` of a folder of pages replaces any of them. Braces hold what the sidecar puts in. */
export const usualWords = {
  language: 'en',
  'signIn.title': 'Sign in',
  'signIn.choose': 'Choose how to sign in.',
  'signIn.none': 'No identity provider is set up for this app.',
  'signIn.with': 'Sign in with {provider}',
  'signIn.again': 'Sign in again',
  'signIn.otherWay': 'Choose another way',
  'redirect.text': 'You are being taken to the sign-in page.',
  'redirect.continue': 'Continue',
  'signedOut.title': 'You are signed out',
  'signedOut.text': 'The app will ask who you are the next time.',
  'signedOut.back': 'Back to the app',
  'error.title': 'This did not work',
  'error.request': 'request {id}',
  'error.400': 'This request is not valid',
  'error.401': 'Sign-in is needed',
  'error.403': 'You have no access',
  'error.404': 'Nothing is here',
  'error.405': 'This is not the way to ask',
  'error.421': 'Another host was meant',
  'error.426': 'Another protocol is needed',
  'error.502': 'The other side could not be reached',
  'error.503': 'Not available right now',
  'error.504': 'The other side took too long',
} as const;

/** The key of a text, that of a provider's name (`provider.gitHub`), or that of a sentence below an error's title (`error.403.text`). */
export type Words = Readonly<Record<keyof typeof usualWords, string>> & Readonly<Record<string, string>>;
