import { createFrameDocuments } from './frame-document'
import { type Frame, renderFrames } from './frames'
import { createPreloadPlan, type PreloadPlan } from './plan'

/** What the build prepares of the first load. */
export interface FirstLoad {
  plan: PreloadPlan
  frames: Frame[]
  /** Needs the files of the build, so it is called at its end. */
  createFrameDocuments: typeof createFrameDocuments
}

/** The build runs this in Node, in one bundle, since the plan and the frames both need all pages. */
export const prepareFirstLoad = async (): Promise<FirstLoad> => ({
  plan: await createPreloadPlan(),
  frames: await renderFrames(),
  createFrameDocuments,
})
