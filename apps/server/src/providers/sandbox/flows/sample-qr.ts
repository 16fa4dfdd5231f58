/** A QR code that comes as a picture, as some providers send it. It reads: SANDBOX PAYMENT: NO REAL MONEY. */
export const SAMPLE_QR_DATA_URL = [
  'data:image/png;base64,',
  'iVBORw0KGgoAAAANSUhEUgAAAIQAAACEAQAAAAB5P74KAAAAx0lEQVR42u2WwQ3DMAwDuQH335IbqCDdtE0fBWL2GcFIjHsEEk0p',
  'xnyFcJMzAUCAzKYg9OKxKQhIiMymJBLFfxAOazKpU+farxMLnjidxXWSoMCzNy4Te8APao5Kt4jTIrHeBZGNicFAqMhS3flxCuIv',
  'WjIJaIjESP92wh5x49oGwkv5LTKCaB/wUGyPQE5PkX8K4kDqBRuSTtHkAFmQ1BjhiYqsKbsGbUliTc+lkrhZNPrIcIN44WmpguRP',
  'ZFvlFPfJfSv4QR5uxbu4HKG77gAAAABJRU5ErkJggg==',
].join('');
