// undici takes longer to load than everything else here: it is loaded with the first request.
export { Agent, fetch } from 'undici';
