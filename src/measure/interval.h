/* Defines an interval of numbers, from low to high. */
#ifndef VOUCH_MEASURE_INTERVAL_H
#define VOUCH_MEASURE_INTERVAL_H

struct interval {
    double low, high;
};

#endif
