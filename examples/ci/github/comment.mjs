// One comment on a pull request, updated at each check: node comment.mjs FILE NUMBER, with
// GITHUB_TOKEN.
import { existsSync, readFileSync } from 'node:fs';

const {
  GITHUB_API_URL: api = 'https://api.github.com',
  GITHUB_REPOSITORY: repository,
  GITHUB_TOKEN: token,
} = process.env;
const [file, number] = process.argv.slice(2);

async function request(method, path, body) {
  const response = await fetch(`${api}/repos/${repository}/issues/${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'x-github-api-version': '2022-11-28',
    },
    ...(body === undefined ? {} : { body: JSON.stringify({ body }) }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok)
    throw new Error(
      `${method} of the comment: ${response.status} ${(await response.text()).slice(0, 500)}`,
    );
  return response.json();
}

const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
if (text === '') {
  // without a first line to find it by, the comment of another bot would be taken for this one
  console.log(`${existsSync(file) ? `${file} is empty` : `no ${file}`}: no comment`);
  process.exit();
}
/** The first line of the file, by which the comment is found again. */
const [marker] = text.split('\n', 1);

/**
 * The comment of an earlier check, if any. Only a bot's counts: a person may have quoted it.
 */
async function ownComment() {
  for (let page = 1; ; page++) {
    const comments = await request('GET', `${number}/comments?per_page=100&page=${page}`);
    const own = comments.find(({ body, user }) => body?.startsWith(marker) && user?.type === 'Bot');
    if (own !== undefined || comments.length < 100) return own;
  }
}

const own = await ownComment();
const { html_url: url } = await (own === undefined
  ? request('POST', `${number}/comments`, text)
  : request('PATCH', `comments/${own.id}`, text));
console.log(`${own === undefined ? 'commented' : 'updated'}: ${url}`);
