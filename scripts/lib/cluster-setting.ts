/** Returns an environment variable that `npm run test:cluster` sets for its tests. */
export function clusterSetting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set. Run these tests with npm run test:cluster.`)
  return value
}
