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

/** Keeps one rule of the cluster; level-triggered, so that it may be run at any time and again. */
export interface Controller {
  /**
   * Takes note of a change; answers whether there is something to do.
   * @param metadata those that the object now has, or last had
   */
  observe(change: Change, metadata: () => ObjectMeta): boolean
  /** Does what there is to do. */
  reconcile(): Promise<void>
  /** Called once, by whose work comes with time alone: `wake` has it run. @returns what ends that */
  onTime?(wake: () => void): () => void
}

export interface Controllers {
  /** Resolves when nothing is left to do for what was written until now. */
  settled(): Promise<void>
  close(): void
}

const retryMs = 1_000

/**
 * Runs controllers one after the other whenever one of them has work, until none has. A failure is tried again a
 * second later; it never reaches the client whose write led to it.
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
    // The write that led here is answered to its client first.
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
