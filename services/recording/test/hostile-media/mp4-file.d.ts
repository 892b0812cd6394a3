/** A box of an MP4 file: its length, its type and its content. ISO/IEC 14496-12, section 4.2. */
export declare function box(type: string, ...content: Buffer[]): Buffer;
/** Numbers of 32 bits. */
export declare function u32(...values: number[]): Buffer;
/** What the only track of an MP4 file declares. All boxes but these are as they should be. */
export interface Mp4Track {
    /** Pairs of sample count and duration. */
    times: number[];
    /** The size of every sample, and how many there are. */
    samples: {
        size: number;
        count: number;
    };
    /** Samples in each chunk. */
    samplesPerChunk: number;
    /** Where each chunk begins in the media. */
    chunkOffsets: number[];
    timescale?: number;
    duration?: number;
    /** Triples of an edit list: duration, media time, rate. */
    edits?: number[];
    /** Put into the track as it is. */
    extra?: Buffer;
}
/** An MP4 file with one track of AAC. */
export declare function mp4File(media: Buffer, track: Mp4Track): Buffer;
