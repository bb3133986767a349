/** Why the gateway's responses differ from those of oauth2-proxy and Caddy. README.md explains them to operators. */
export const reasons = {
  allowList: 'only known headers reach an upstream; theirs forward all but a few',
  connection:
    'headers named by Connection are not forwarded, which affects neither the session nor the identity sent upstream',
  twice: 'repeated single-value headers and header names with underscores are rejected',
  systemNames: 'groups that start with system: or contain a comma are dropped; theirs split at the comma',
  unambiguousPath: 'ambiguous paths are rejected, and names are case-sensitive',
  apiOnly: 'only the Kubernetes API, without proxy, exec, attach and portforward',
  resultsOnly: 'only the paths of a plugin that a console reads, and only GET',
  namespaces: 'the list of namespaces cannot be watched, and selectors apply; theirs ignore both',
  ownPage: 'a write with a cookie must come from our page, with our header and not with a content type of forms',
  ownSocket: 'a websocket with a cookie must come from our page',
  subprotocol: 'base64.binary.k8s.io is the only subprotocol; others can carry a token of another user',
  socketsApart: 'websockets only below /wss, and nothing else there',
  oneMethod: 'only the methods of the Kubernetes API, and no GET with a body',
  ownHost: 'a foreign Host header is rejected',
  answers: 'response headers that affect the browser or name a server are dropped',
  upstreamErrors: "an upstream's redirect or 401 becomes a 502, so that a 401 has one meaning",
  tokenCounts: 'Authorization takes precedence over the cookie',
  returnPath: 'only a path of the site without control characters and without side effects; its query does not matter',
  signOut:
    'other sites cannot sign users out, copies of the cookie end too, and without rd a script gets a 204, a user the sign-in',
  byStart: 'sign_in redirects to start, which sets the cookie',
  userName: 'user is the name in the cluster, and groups and preferredUsername are always there',
  wire: 'requests that HTTP parsers interpret differently are rejected',
  health: 'health has a body',
  notFound: 'missing paths below /api, /wss, /oauth2 and /assets are a 404, not a page',
  callback: 'a response without an attempt gets a page with a way to try again',
} satisfies Record<string, string>
export type Reason = keyof typeof reasons
