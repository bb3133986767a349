/** Controllers and clients compare it with what they need: the behaviour here follows this release. */
export const version = {
  major: '1',
  minor: '32',
  gitVersion: 'v1.32.0',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'linux/amd64',
}
