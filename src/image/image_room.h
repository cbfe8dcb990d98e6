/* image_room.h - going into the room of image.h and out of it; internal to image/. */
#ifndef IMAGE_IMAGE_ROOM_H
#define IMAGE_IMAGE_ROOM_H

#include "image/image.h"

/* Waits until `bytes` fit. Once in, do not enter again before you have left. */
void image_room_enter(image_room *r, uint64_t bytes);
void image_room_leave(image_room *r, uint64_t bytes); /* the same number */

#endif
