import type { Clock } from '@slipway/kube/clock'
import type { ObjectMeta } from '@slipway/kube/object'
import { lazy } from '../lazy'
import type { Catalog } from '../registry/catalog'
import { metadataOf } from '../registry/objects'
import type { Writer } from '../registry/writer'
import type { Change, Storage } from '../storage/storage'

export interface ControllerParts {
  storage: Storage
  catalog: Catalog
  writer: Writer
  clock: Clock
}

/** Maintains one invariant of the cluster. Level-triggered, so it can run at any time and repeatedly. */
export interface Controller {
  /**
   * Records a change; returns true if there is work to do.
   * @param metadata of the object now, or before its deletion
   */
  observe(change: Change, metadata: () => ObjectMeta): boolean
  /** Does the outstanding work. */
  reconcile(): Promise<void>
  /** Called once, for controllers with timed work: `wake` schedules a run. @returns how to cancel the timer */
  onTime?(wake: () => void): () => void
}

export interface Controllers {
  /** Resolves when all work caused by the writes so far is done. */
  settled(): Promise<void>
  close(): void
}

const retryMs = 1_000

/**
 * Runs controllers one after another while any of them has work. A failed run is retried after one second; it never
 * affects the client whose write triggered it.
 */
export function runControllers(
  { storage, clock }: Pick<ControllerParts, 'storage' | 'clock'>,
  controllers: readonly Controller[],
  report: (error: unknown) => void,
): Controllers {
  const due = new Set<Controller>(controllers)
  let running: Promise<void> | undefined
  let cancelRetry: (() => void) | undefined
  let isClosed = false

  const unsubscribe = storage.subscribe((change) => {
    const metadata = lazy(() => metadataOf(change.value))
    for (const controller of controllers) if (controller.observe(change, metadata)) due.add(controller)
    start()
  })

  function start() {
    if (running || due.size === 0 || isClosed) return
    running = run().finally(() => {
      running = undefined
      start()
    })
  }

  async function run() {
    // Lets the response to the triggering write go out first.
    await Promise.resolve()
    const failed = new Set<Controller>()
    while (due.size > 0 && !isClosed) {
      const [controller] = due
      if (!controller) return
      due.delete(controller)
      try {
        await controller.reconcile()
      } catch (error) {
        if (isClosed) return
        report(error)
        failed.add(controller)
      }
    }
    if (failed.size === 0 || isClosed) return
    cancelRetry = clock.after(retryMs, () => {
      for (const controller of failed) due.add(controller)
      start()
    })
  }

  const stops = controllers.map((controller) =>
    controller.onTime?.(() => {
      due.add(controller)
      start()
    }),
  )

  start()
  return {
    async settled() {
      while (running) await running
    },
    close() {
      isClosed = true
      unsubscribe()
      cancelRetry?.()
      for (const stop of stops) stop?.()
    },
  }
}
