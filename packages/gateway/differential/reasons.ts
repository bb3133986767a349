/** Why the gateway answers otherwise than oauth2-proxy and Caddy do. README.md tells these to operators. */
export const reasons = {
  allowList: 'only known headers reach an upstream; there, all but a few do',
  connection: 'what Connection names is not sent on, which touches neither the session nor the identity sent upstream',
  twice: 'a header that may come once is refused twice, and a name with an underscore always',
  systemNames: 'groups that begin with system: or have a comma are dropped; there, the comma makes two of one',
  oneReading: 'a path that can be read in two ways is refused, and names are as they are written',
  apiOnly: 'only the Kubernetes API, without proxy, exec, attach and portforward',
  resultsOnly: 'of a plugin only what a console reads, and only by GET',
  namespaces: 'the list of namespaces cannot be watched, and is narrowed by selectors; there, both do nothing',
  ownPage: 'a write by a cookie comes from a page of ours, with our header and no type of a form',
  ownSocket: 'a websocket by a cookie comes from a page of ours',
  subprotocol: 'base64.binary.k8s.io is the only subprotocol; others carry tokens, and with them another user',
  socketsApart: 'websockets only below /wss, and nothing else there',
  oneMethod: 'only the methods of the Kubernetes API, and no GET with a body',
  ownHost: 'a host that is not ours is refused',
  answers: 'what acts on the browser, or names a server, is not passed back',
  upstreamFaults: 'an upstream that redirects or does not know the gateway is a 502, so that a 401 means one thing',
  tokenCounts: 'whoever sends Authorization is judged by it, whatever the cookie says',
  returnPath: 'only a path of the site without control characters, and none that acts; its query is its own',
  signOut:
    'no other site signs anybody out, copies of the cookie end too, and without rd a script gets a 204, a person sign-in',
  byStart: 'sign_in goes by way of start, which sets the cookie',
  userName: 'user is the name in the cluster, and groups and preferredUsername are always there',
  health: 'health says in words what it says',
  notFound: 'what is missing below /api, /wss, /oauth2 and /assets is a 404, not a page',
  callback: 'an answer that nobody asked for is a page in words, with a way to try again',
} satisfies Record<string, string>
export type Reason = keyof typeof reasons
