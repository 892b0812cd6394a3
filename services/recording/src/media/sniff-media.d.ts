/** The containers that recordings may come in. */
export type Container = 'webm' | 'mp4' | 'ogg' | 'mp3' | 'wav';
/** The type of a file by its first bytes. Only probing shows whether it has a picture: until then all are called audio. */
export interface SniffedMedia {
    container: Container;
    mediaType: string;
    /** Without the dot. */
    extension: string;
}
/** Finds out a file's type from its first bytes (4096 suffice). @returns null for anything but the five containers */
export declare function sniffMedia(firstBytes: Uint8Array): SniffedMedia | null;
