/** How much history is kept. */
export interface Retention {
  /** For how many hours of simulated time finished runs and snapshots stay in the cluster; the newest stay longer. */
  keepHours: number
  /** For how many minutes of simulated time events stay in the cluster. */
  eventMinutes: number
  /** For how many days deleted objects are archived. */
  archiveDays: number
  /** Size of the archive's store beyond which the objects that were deleted first are removed earlier. */
  archiveMegabytes: number
}

/** Little enough that a cluster of one machine stays small however long it runs. Kubernetes keeps events for an hour. */
export const defaultRetention: Retention = {
  keepHours: 3,
  eventMinutes: 60,
  archiveDays: 90,
  archiveMegabytes: 150,
}
