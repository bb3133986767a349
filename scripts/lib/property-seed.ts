import * as fc from 'fast-check'

/** Property tests draw the same values each time, so that a result is that of the code; the nightly run draws others. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PROPERTY_SEED ?? 15) })
