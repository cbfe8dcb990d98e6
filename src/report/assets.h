/* assets.h - style sheet and script of the page, made from web/ by cmake/TareWeb.cmake. The
 * script is empty in a build without web. */
#ifndef REPORT_ASSETS_H
#define REPORT_ASSETS_H

#include <stddef.h>

extern const char asset_report_css[];
extern const size_t asset_report_css_length;
extern const char asset_report_js[];
extern const size_t asset_report_js_length;

#endif
