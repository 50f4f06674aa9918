import sharp from 'sharp'

// A small machine has neither memory for libvips' cache nor cores to spare for one image.
sharp.cache(false)
sharp.concurrency(1)

// Only these formats are ever decoded, whatever a file pretends to be.
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
