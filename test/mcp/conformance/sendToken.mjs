// node --import sendToken.mjs: every request of fetch and undici carries the bearer token that is in BEARER_TOKEN. For a client that
// has to reach the server itself, because what it tests is how the server takes the Host and Origin that it sends.
import { subscribe } from 'node:diagnostics_channel';
import process from 'node:process';

subscribe('undici:request:create', ({ request }) => {
  request.addHeader('authorization', `Bearer ${process.env.BEARER_TOKEN}`);
});
