import sharp from 'sharp'

// A small machine has neither the memory for libvips' cache nor cores to spare for one photo.
sharp.cache(false)
sharp.concurrency(1)

// Only what a photo may be is ever decoded, whatever a file pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})

export { sharp }
